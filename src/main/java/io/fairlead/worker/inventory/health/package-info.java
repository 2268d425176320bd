/**
 * What drives say of their own health: Identify Controller and the SMART / Health Information log page, asked through the kernel's admin
 * queue, and the alarms that follow from them. Questions look only; they change nothing on a drive and consume none of its events.
 *
 * <p>A drive that hangs keeps the thread that asks it and nothing else; its last answer is told with the time of it. Where no answer can
 * be had, the reason is told. May use {@code core}, {@code contract}, {@code nvme.spec} and {@code ffi.libc}.
 */
package io.fairlead.worker.inventory.health;
