/**
 * DH-HMAC-CHAP (NVM Express Base 2.0, section 8.13): the messages, the arithmetic, and the exchange as sealed states, for both sides.
 *
 * <p>Transport-free: {@link io.fairlead.nvme.auth.AuthController} answers Authentication Send and Receive of one queue, and
 * {@link io.fairlead.nvme.auth.AuthHost} says which message to send or to ask for next. Both end in one
 * {@link io.fairlead.nvme.auth.AuthProgress}, and a refusal names the check that failed. Cryptography is the JDK's; randomness is
 * passed in. Arithmetic in the large groups takes milliseconds, so that a poll group's thread must not do it. May use
 * {@code nvme.spec}, {@code nvme.wire} and the JDK only.
 */
package io.fairlead.nvme.auth;
