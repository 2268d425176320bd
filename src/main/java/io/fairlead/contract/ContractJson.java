package io.fairlead.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

/**
 * The one JSON form of the contract: RFC 3339 times, absent optionals left out, unknown fields ignored (a newer peer may send them).
 * Everything that is not optional has to be there, so that nobody works on half a message; what is added within a schema is optional.
 */
public final class ContractJson {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .serializationInclusion(JsonInclude.Include.NON_ABSENT)
            .build();

    private ContractJson() {}

    /** Thread-safe; do not reconfigure. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }
}
