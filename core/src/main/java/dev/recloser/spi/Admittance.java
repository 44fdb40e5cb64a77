package dev.recloser.spi;

import dev.recloser.RejectedException;

/**
 * What an {@link Admission} answers to a call that wants in: a {@link Ticket}, of which a {@link Reservation} is one to wait for; a
 * {@link Place} in a queue; a {@link Substitute} for the call; or a rejection. A rejection is returned, not thrown, so that saying
 * no is as cheap as saying yes.
 */
public sealed interface Admittance permits Ticket, Place, Substitute, RejectedException {}
