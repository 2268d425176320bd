package io.fairlead.management.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.core.Failure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransportAddressTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, IPV4, 127.0.0.1",
        "::1, IPV6, ::1",
        "[::1], IPV6, ::1",
        "0:0:0:0:0:0:0:1, IPV6, ::1",
        "::, IPV6, ::",
        "::ffff:127.0.0.1, IPV4, 127.0.0.1",
        "::FFFF:7f00:1, IPV4, 127.0.0.1",
        "FE80::1, IPV6, fe80::1",
        "fe80::1%lo, IPV6, fe80::1%lo",
        "[fe80::1%eth0.7], IPV6, fe80::1%eth0.7",
        "2001:DB8:0:0:1:0:0:1, IPV6, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, IPV6, 2001:db8:0:1:1:1:1:1",
        "1::, IPV6, 1::",
        "0:0:1:0:0:0:1:0, IPV6, 0:0:1::1:0",
        "64:ff9b::192.0.2.33, IPV6, 64:ff9b::c000:221",
    })
    void shouldWriteEachAddressInItsOneForm(String input, String family, String canonical) {
        TransportAddress address = TransportAddress.parse(input);

        assertThat(address.text()).isEqualTo(canonical);
        assertThat(address.family().name()).isEqualTo(family);
        assertThat(TransportAddress.parse(address.text())).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "::g",
                "localhost",
                "host.example",
                "1.2.3",
                "1.2.3.4.5",
                "256.0.0.1",
                "010.0.0.1",
                "1.2.3.-4",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "::1:2:3:4:5:6:7:8",
                "12345::",
                "[127.0.0.1]",
                "[::1",
                "::1]",
                "fe80::1%",
                "fe80::1%a b",
                "::1.2.3",
                "1:2.3.4.5:6::",
                ":1:2:3:4:5:6:7",
                "127.0.0.1:4420"
            })
    void shouldRefuseWhatIsNoAddress(String input) {
        assertThatThrownBy(() -> TransportAddress.parse(input)).isInstanceOf(Failure.class);
    }
}
