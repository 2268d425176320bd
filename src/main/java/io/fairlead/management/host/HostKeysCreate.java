package io.fairlead.management.host;

/**
 * New keys for a host; the old ones are replaced at once.
 *
 * @param secret left out: generated
 * @param controllerSecret left out: generated when the host authenticates both ways
 */
public record HostKeysCreate(String secret, String controllerSecret) {

    @Override
    public String toString() {
        return "HostKeysCreate[hidden]";
    }
}
