package dev.recloser.gateway.cli;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Which version this is: as the jar says, or the module, or unknown in a source tree. */
final class Version implements IVersionProvider {

    Version() {}

    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .or(() -> Optional.ofNullable(Main.class.getModule().getDescriptor())
                        .flatMap(ModuleDescriptor::rawVersion))
                .orElse("of an unknown version");
        return new String[] {"recloser " + version + ", Java " + Runtime.version()};
    }
}
