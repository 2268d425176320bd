package io.fairlead.nvme.spec;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NqnTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555",
                "nqn.2014-08.org.nvmexpress.discovery",
                "nqn.2026-12.io.fairlead:volume_1",
                "nqn.2026-12.io.fairlead",
                "nqn.2026-01.com.example:host:with:colons",
                "nqn.2026-01.com.example:Ünïcode"
            })
    void shouldAcceptNamesOfTheField(String name) {
        assertThat(Nqn.flaw(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "iqn.2026-12.io.fairlead:x|starts with",
                "NQN.2026-12.io.fairlead:x|starts with",
                "nqn.2026-13.io.fairlead:x|year and a month",
                "nqn.2026.io.fairlead:x|year and a month",
                "nqn.2026-12|domain",
                "nqn.2026-12.:x|domain",
                "nqn.2026-12..io:x|domain",
                "nqn.2026-12.io.fairlead:|missing",
                "nqn.2026-12.io.fairlead: x|spaces",
                "nqn.2014-08.org.nvmexpress:uuid:1111|UUID of 36",
                "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555x|UUID of 36"
            })
    void shouldSayWhichRuleIsBroken(String name, String sentence) {
        assertThat(Nqn.flaw(name)).hasValueSatisfying(flaw -> assertThat(flaw).contains(sentence));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nqn.2026-12.io.fairlead:a\u0000b",
                "nqn.2026-12.io.fairlead:a\nb",
                "nqn.2026-12.io.fairlead:\u00a0"
            })
    void shouldRefuseWhatNobodyCanType(String name) {
        assertThat(Nqn.flaw(name)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({"223, true", "224, false"})
    void shouldCountBytes(int bytes, boolean accepted) {
        String start = "nqn.2026-12.io.fairlead:";
        String name = start + "a".repeat(bytes - start.length());

        assertThat(Nqn.flaw(name).isEmpty()).isEqualTo(accepted);
    }

    @Property
    void shouldNeverFailOtherwise(@ForAll String text) {
        assertThat(Nqn.flaw("nqn.2026-12.io.fairlead:" + text)).isNotNull();
    }
}
