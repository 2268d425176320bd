package io.fairlead.contract;

/**
 * A worker asks to become a head.
 *
 * @param token the one-time enrolment token
 * @param name the head's name, unique in the appliance: 1 to 63 of a-z, 0-9 and '-'
 * @param version the worker's version
 */
public record EnrolmentRequest(String token, String name, String version) {

    @Override
    public String toString() {
        return "EnrolmentRequest[token=hidden, name=" + name + ", version=" + version + "]";
    }
}
