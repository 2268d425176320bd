package io.fairlead.platform;

import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.microprofile.config.ConfigProvider;

/** The API as the administrator of the application under test asks it. */
public final class Api {

    private Api() {}

    /** A request with the administrator's token and a JSON body. */
    public static RequestSpecification asAdministrator() {
        return RestAssured.given().auth().oauth2(administratorToken()).contentType("application/json");
    }

    public static String administratorToken() {
        return readState("admin-token");
    }

    /** The token with which the local head may enrol. */
    public static String localEnrolmentToken() {
        return readState("enrolment-token");
    }

    private static String readState(String file) {
        Path directory = Path.of(ConfigProvider.getConfig().getValue("fairlead.state-dir", String.class));
        try {
            return Files.readString(directory.resolve(file)).strip();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
