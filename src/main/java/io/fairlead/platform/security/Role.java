package io.fairlead.platform.security;

/** Role names for {@code @RolesAllowed}. What a viewer may, an operator may; what an operator may, an admin may. */
public final class Role {

    public static final String ADMIN = "admin";
    public static final String OPERATOR = "operator";
    public static final String VIEWER = "viewer";

    /** A worker with the credential of its head; it has none of the others. */
    public static final String HEAD = "head";

    private Role() {}
}
