package dev.recloser.gateway.cli;

import dev.recloser.gateway.Gateway;
import picocli.CommandLine.IVersionProvider;

/** Says which version this is. */
final class Version implements IVersionProvider {

    Version() {}

    @Override
    public String[] getVersion() {
        String version = Gateway.version().orElse("of an unknown version");
        return new String[] {"recloser " + version + ", Java " + Runtime.version()};
    }
}
