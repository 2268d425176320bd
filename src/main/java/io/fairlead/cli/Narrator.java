package io.fairlead.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;

/** Tells a person what is going on, one line per step with the time since the start. Goes to standard error, so that output stays clean. */
final class Narrator {

    private final PrintStream out;
    private final InstantSource clock;
    private final long startMillis;

    Narrator(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
        this.startMillis = clock.millis();
    }

    void say(String line) {
        double seconds = Duration.ofMillis(clock.millis() - startMillis).toMillis() / 1000.0;
        out.println(String.format(Locale.ROOT, "%6.1f s  %s", seconds, line));
        out.flush();
    }
}
