package dev.recloser.gateway.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the access log goes.
 *
 * @param file the file; empty for the standard output stream
 */
public record AccessLogConfig(Optional<Path> file) {}
