package io.fairlead.worker.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManagementAddressTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:8480",
                "http://127.9.9.9",
                "http://[::1]:8480/",
                "http://localhost:8480",
                "https://fairlead.example.org",
                "https://10.0.0.1:8443"
            })
    void shouldAcceptTlsAndLoopback(String text) {
        assertThat(ManagementAddress.of(text).resolve("/worker/v1/enrol").toString())
                .endsWith("/worker/v1/enrol")
                .doesNotContain("//worker");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1:8480",
                "http://fairlead.example.org",
                "http://localhost.example.org",
                "http://0.0.0.0:8480",
                "http://127.1.example.org",
                "ftp://127.0.0.1",
                "127.0.0.1:8480",
                "",
                "https://host/?token=x"
            })
    void shouldRefuseEverythingElse(String text) {
        assertThatThrownBy(() -> ManagementAddress.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
