/**
 * The target engine of the Linux kernel, driven through configfs: a typed tree, the kernel's rules about it in one place, and what this
 * kernel can and cannot do.
 *
 * <p>Serving goes on when the worker ends; what Fairlead made is remembered in a record beside the ledger, so that everything else is
 * left alone. No shell. May use {@code core}, {@code contract}, {@code nvme.spec} and {@code worker.engine}.
 */
package io.fairlead.worker.engine.nvmet;
