package io.zarrengine.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A web server on the loopback interface that answers with the bytes that a test gives. */
final class ScriptedServer extends LoopbackServer {
    /** Answers requests. */
    @FunctionalInterface
    interface Script {
        /**
         * Answers one request.
         *
         * @param request how many requests this server had before
         * @return whether the connection stays open
         */
        boolean answer(int request, OutputStream out) throws IOException, InterruptedException;
    }

    private final Script script;
    private final List<String> heads = new CopyOnWriteArrayList<>();

    ScriptedServer(Script script) throws IOException {
        this.script = script;
        start();
    }

    /** {@return a script with the same answer for each request} */
    static Script always(String answer) {
        return (_, out) -> {
            write(out, answer);
            return true;
        };
    }

    static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port() + "/");
    }

    /** {@return the heads of all requests so far} */
    List<String> heads() {
        return List.copyOf(heads);
    }

    @Override
    void serve(Socket connection) throws IOException, InterruptedException {
        var in =
                new BufferedReader(
                        new InputStreamReader(
                                connection.getInputStream(), StandardCharsets.ISO_8859_1));
        boolean goesOn = true;
        while (goesOn) {
            StringBuilder head = new StringBuilder();
            String line = in.readLine();
            for (; line != null && !line.isEmpty(); line = in.readLine()) {
                head.append(line).append('\n');
            }
            goesOn = line != null;
            if (goesOn) {
                heads.add(head.toString());
                goesOn = script.answer(heads.size() - 1, connection.getOutputStream());
            }
        }
    }
}
