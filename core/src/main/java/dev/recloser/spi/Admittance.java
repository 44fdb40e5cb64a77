package dev.recloser.spi;

import dev.recloser.RejectedException;

/**
 * What an {@link Admission} answers to a call that wants in: a {@link Ticket}, a {@link Place} in a queue, or a rejection. A
 * rejection is returned, not thrown, so that saying no is as cheap as saying yes.
 */
public sealed interface Admittance permits Ticket, Place, RejectedException {}
