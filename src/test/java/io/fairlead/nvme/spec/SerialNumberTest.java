package io.fairlead.nvme.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SerialNumberTest {

    @ParameterizedTest
    @ValueSource(strings = {"1", "FL0123456789ABCDEF", "a b", "~!@#$%^&*()_+12345678"})
    void shouldAcceptPrintableCharacters(String serial) {
        assertThat(SerialNumber.flaw(serial.substring(0, Math.min(20, serial.length()))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "123456789012345678901", "Ä", "1 ", " 1", "a\tb", "a\u007f"})
    void shouldRefuseWhatAHostCouldNotTellApart(String serial) {
        assertThat(SerialNumber.flaw(serial)).isPresent();
    }
}
