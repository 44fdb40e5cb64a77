package dev.recloser.gateway.proxy;

/** A system property of the gateway's has a value that it cannot have. The message says all there is to say. */
public final class BadPropertyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    BadPropertyException(String property, String value, String allowed) {
        super("the system property " + property + " is '" + value + "'; it must be " + allowed);
    }
}
