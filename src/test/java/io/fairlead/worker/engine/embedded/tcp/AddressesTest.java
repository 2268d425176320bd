package io.fairlead.worker.engine.embedded.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressesTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1:4420",
        "0:0:0:0:0:0:0:1, [::1]:4420",
        "0:0:0:0:0:0:0:0, [::]:4420",
        "2001:db8:0:0:1:0:0:1, [2001:db8::1:0:0:1]:4420",
        "2001:DB8:0:1:1:1:1:1, [2001:db8:0:1:1:1:1:1]:4420",
        "fe80:0:0:0:0:0:0:0, [fe80::]:4420",
    })
    void shouldWriteAddressesInTheirOneCanonicalForm(String address, String text) {
        assertThat(Addresses.text(new InetSocketAddress(InetAddress.ofLiteral(address), 4420)))
                .isEqualTo(text);
    }
}
