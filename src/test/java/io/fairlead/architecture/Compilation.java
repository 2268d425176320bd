package io.fairlead.architecture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** One run of the compiler inside a test. */
record Compilation(List<String> errors) {

    /** Compiles the files into {@code out} with an empty class path unless the options say otherwise. */
    static Compilation of(List<Path> files, Path out, List<String> options) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager =
                compiler.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8)) {
            List<String> arguments = new ArrayList<>(List.of("-d", out.toString()));
            if (!options.contains("-cp")) {
                arguments.addAll(List.of("-cp", out.toString(), "-proc:none"));
            }
            arguments.addAll(options);
            compiler.getTask(null, manager, diagnostics, arguments, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
        }
        return new Compilation(diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(Object::toString)
                .toList());
    }
}
