package io.fairlead.worker.inventory.health;

import java.util.Optional;

/** Temperatures travel in whole kelvin and are told in °C, as every other tool does: 0 °C is 273 K. */
final class Celsius {

    private static final int ZERO_KELVIN = 273;

    private Celsius() {}

    /** Empty for 0 K, which stands for "not reported". */
    static Optional<Integer> ofKelvin(int kelvin) {
        return kelvin == 0 ? Optional.empty() : Optional.of(kelvin - ZERO_KELVIN);
    }
}
