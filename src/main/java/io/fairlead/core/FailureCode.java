package io.fairlead.core;

/**
 * Every failure that the API can answer with. The code is stable: programs act on it. {@code src/docs/failures.md} says of each who
 * has to react and how; a test compares the two.
 */
public enum FailureCode {
    // Requests as such
    REQUEST_MALFORMED("request.malformed", Kind.BAD_REQUEST, "The request body is not well-formed JSON"),
    REQUEST_UNKNOWN_FIELD("request.unknown_field", Kind.BAD_REQUEST, "The request has a field that does not exist"),
    REQUEST_WRONG_TYPE("request.wrong_type", Kind.BAD_REQUEST, "A field has a value of the wrong type"),
    REQUEST_INVALID("request.invalid", Kind.UNPROCESSABLE, "A field has a value that is not allowed"),
    REQUEST_UNSUPPORTED(
            "request.unsupported", Kind.BAD_REQUEST, "The request asks for something this API does not have"),
    REQUEST_NOT_FOUND("request.not_found", Kind.NOT_FOUND, "There is nothing at this address"),
    REQUEST_METHOD_NOT_ALLOWED(
            "request.method_not_allowed", Kind.METHOD_NOT_ALLOWED, "This address does not take this method"),
    REQUEST_MEDIA_TYPE("request.media_type", Kind.MEDIA_TYPE, "The request body is not application/json"),
    REQUEST_TOO_LARGE("request.too_large", Kind.TOO_LARGE, "The request body is too large"),
    REQUEST_PRECONDITION_REQUIRED("request.precondition_required", Kind.PRECONDITION_REQUIRED, "If-Match is required"),
    REQUEST_PRECONDITION_FAILED(
            "request.precondition_failed", Kind.PRECONDITION_FAILED, "The resource has changed since it was read"),
    REQUEST_IDEMPOTENCY_MISMATCH(
            "request.idempotency_mismatch", Kind.UNPROCESSABLE, "The Idempotency-Key was used for another request"),
    REQUEST_UNAUTHENTICATED("request.unauthenticated", Kind.UNAUTHENTICATED, "The request has no valid credential"),
    REQUEST_FORBIDDEN("request.forbidden", Kind.FORBIDDEN, "The credential does not allow this"),

    // Heads and listeners
    HEAD_NOT_FOUND("head.not_found", Kind.NOT_FOUND, "There is no such head"),
    HEAD_NAME_TAKEN("head.name_taken", Kind.CONFLICT, "A head of this name exists"),
    HEAD_IN_USE("head.in_use", Kind.CONFLICT, "The head still serves something"),
    HEAD_LIMIT("head.limit", Kind.CONFLICT, "The appliance has as many heads as it can have"),
    HEAD_ENROLMENT_TOKEN("head.enrolment_token", Kind.FORBIDDEN, "The enrolment token is unknown, used or expired"),
    HEAD_GENERATION_STALE("head.generation_stale", Kind.CONFLICT, "The report is about an impossible generation"),
    LISTENER_NOT_FOUND("listener.not_found", Kind.NOT_FOUND, "There is no such listener"),
    LISTENER_DUPLICATE("listener.duplicate", Kind.CONFLICT, "The head has this listener already"),
    LISTENER_ADDRESS_INVALID(
            "listener.address_invalid", Kind.UNPROCESSABLE, "The transport address is not an IP address"),
    LISTENER_TRANSPORT_UNSUPPORTED(
            "listener.transport_unsupported", Kind.UNPROCESSABLE, "The head's engine has no such transport"),
    LISTENER_IN_USE("listener.in_use", Kind.CONFLICT, "The listener still serves an export"),

    // Drives, pools, volumes
    DRIVE_NOT_FOUND("drive.not_found", Kind.NOT_FOUND, "There is no such drive"),
    DRIVE_IN_USE("drive.in_use", Kind.CONFLICT, "The drive is in use"),
    POOL_NOT_FOUND("pool.not_found", Kind.NOT_FOUND, "There is no such pool"),
    POOL_INSUFFICIENT_CAPACITY("pool.insufficient_capacity", Kind.CONFLICT, "The pool has too little free space"),
    POOL_AMBIGUOUS("pool.ambiguous", Kind.UNPROCESSABLE, "There are several pools and the request names none"),
    VOLUME_NOT_FOUND("volume.not_found", Kind.NOT_FOUND, "There is no such volume"),
    VOLUME_NAME_TAKEN("volume.name_taken", Kind.CONFLICT, "A volume of this name exists in the pool"),
    VOLUME_IN_USE("volume.in_use", Kind.CONFLICT, "The volume is exported"),
    VOLUME_SHRINK("volume.shrink", Kind.UNPROCESSABLE, "A volume cannot be made smaller"),

    // Subsystems and namespaces
    SUBSYSTEM_NOT_FOUND("subsystem.not_found", Kind.NOT_FOUND, "There is no such subsystem"),
    SUBSYSTEM_NQN_TAKEN("subsystem.nqn_taken", Kind.CONFLICT, "A subsystem with this NQN exists"),
    SUBSYSTEM_SERIAL_TAKEN("subsystem.serial_taken", Kind.CONFLICT, "Another subsystem has this serial number"),
    SUBSYSTEM_SERIAL_INVALID(
            "subsystem.serial_invalid",
            Kind.UNPROCESSABLE,
            "The serial number is not 1 to 20 printable ASCII characters"),
    SUBSYSTEM_IN_USE("subsystem.in_use", Kind.CONFLICT, "The subsystem is exported"),
    SUBSYSTEM_OPEN_WITH_HOSTS(
            "subsystem.open_with_hosts",
            Kind.CONFLICT,
            "A subsystem is open to any host or has a list of hosts, not both"),
    NAMESPACE_NOT_FOUND("namespace.not_found", Kind.NOT_FOUND, "There is no such namespace"),
    NAMESPACE_LIMIT("namespace.limit", Kind.CONFLICT, "The subsystem has no free namespace identifier"),
    NQN_INVALID("nqn.invalid", Kind.UNPROCESSABLE, "The text is not an NVMe Qualified Name"),

    // Hosts and keys
    HOST_NOT_FOUND("host.not_found", Kind.NOT_FOUND, "There is no such host"),
    HOST_NQN_TAKEN("host.nqn_taken", Kind.CONFLICT, "A host with this NQN exists"),
    HOST_HOSTID_TAKEN("host.hostid_taken", Kind.CONFLICT, "Another host has this host identifier"),
    HOST_IN_USE("host.in_use", Kind.CONFLICT, "The host is still allowed to an export"),
    KEY_NOT_FOUND("key.not_found", Kind.NOT_FOUND, "There is no such key"),
    KEY_PREFIX("key.prefix", Kind.UNPROCESSABLE, "The key does not start with DHHC-1:"),
    KEY_FORMAT("key.format", Kind.UNPROCESSABLE, "The key is not of the form DHHC-1:HH:base64:"),
    KEY_HASH_ID("key.hash_id", Kind.UNPROCESSABLE, "The key's hash identifier is not 00, 01, 02 or 03"),
    KEY_BASE64("key.base64", Kind.UNPROCESSABLE, "The key's middle part is not base64"),
    KEY_LENGTH("key.length", Kind.UNPROCESSABLE, "The key is not 32, 48 or 64 bytes long"),
    KEY_LENGTH_HASH_MISMATCH(
            "key.length_hash_mismatch", Kind.UNPROCESSABLE, "The key's length does not fit its hash identifier"),
    KEY_CRC("key.crc", Kind.UNPROCESSABLE, "The key's check sum is wrong"),
    KEY_UNAVAILABLE("key.unavailable", Kind.UNAVAILABLE, "The key cannot be decrypted"),

    // Exports and jobs
    EXPORT_NOT_FOUND("export.not_found", Kind.NOT_FOUND, "There is no such export"),
    EXPORT_DUPLICATE("export.duplicate", Kind.CONFLICT, "The subsystem is exported already"),
    EXPORT_HEAD_MISMATCH(
            "export.head_mismatch", Kind.UNPROCESSABLE, "The listener and the volume are on different heads"),
    JOB_NOT_FOUND("job.not_found", Kind.NOT_FOUND, "There is no such job"),

    // The appliance itself
    DATABASE_UNAVAILABLE("database.unavailable", Kind.UNAVAILABLE, "The database does not answer"),
    INTERNAL("internal", Kind.INTERNAL, "Fairlead failed in a way it should not");

    /** What kind of answer a failure is; {@code platform} maps each to one HTTP status. */
    public enum Kind {
        BAD_REQUEST,
        UNAUTHENTICATED,
        FORBIDDEN,
        NOT_FOUND,
        METHOD_NOT_ALLOWED,
        CONFLICT,
        PRECONDITION_FAILED,
        TOO_LARGE,
        MEDIA_TYPE,
        UNPROCESSABLE,
        PRECONDITION_REQUIRED,
        INTERNAL,
        UNAVAILABLE
    }

    private final String code;
    private final Kind kind;
    private final String title;

    FailureCode(String code, Kind kind, String title) {
        this.code = code;
        this.kind = kind;
        this.title = title;
    }

    /** For example {@code pool.insufficient_capacity}. */
    public String code() {
        return code;
    }

    public Kind kind() {
        return kind;
    }

    /** The same sentence for each failure of this code; {@link Failure#getMessage()} tells of the one at hand. */
    public String title() {
        return title;
    }
}
