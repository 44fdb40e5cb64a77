package dev.recloser.gateway.cli;

import dev.recloser.spi.SettingsReading;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the durations of options, which are written as in the configuration. */
final class DurationOption implements ITypeConverter<Duration> {

    DurationOption() {}

    @Override
    public Duration convert(String text) {
        return SettingsReading.duration(text)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is no duration; write a number and a unit, such as 500ms, 10s, 2m or 1h"));
    }
}
