package dev.recloser.gateway.admin;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files of the dashboard, which stand beside this class. A browser keeps them, and asks each time whether they are still the same.
 * The page may load nothing from anywhere else, and no other page may frame it.
 */
final class Assets {

    /** The page itself. */
    static final String PAGE = "dashboard.html";

    private static final List<String> NAMES = List.of(
            PAGE,
            "dashboard.css",
            "closed.svg",
            "open.svg",
            "main.js",
            "model.js",
            "feed.js",
            "requests.js",
            "tile.js",
            "strip.js",
            "board.js",
            "timeline.js",
            "dialogs.js",
            "format.js");

    private static final String POLICY =
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";
    private static final int TAG_BYTES = 12;

    private record Asset(Reply whole, String tag) {}

    private final Map<String, Asset> assets = new LinkedHashMap<>();

    Assets() {
        NAMES.forEach(name -> assets.put(name, load(name)));
    }

    /** The file of this name, or that the browser has it already; empty if there is none. */
    Optional<Reply> find(String name, FullHttpRequest request) {
        return Optional.ofNullable(assets.get(name)).map(asset -> {
            String known = request.headers().get(HttpHeaderNames.IF_NONE_MATCH, "");
            Reply whole = asset.whole();
            return known.contains(asset.tag())
                    ? new Reply(HttpResponseStatus.NOT_MODIFIED, whole.contentType(), whole.body(), whole.headers())
                    : whole;
        });
    }

    private static Asset load(String name) {
        String text = read(name);
        String tag = tag(text);
        Reply reply = new Reply(HttpResponseStatus.OK, type(name), text, Map.of())
                .with("Cache-Control", "no-cache")
                .with("ETag", tag)
                .with("Content-Security-Policy", POLICY)
                .with("Referrer-Policy", "no-referrer");
        return new Asset(reply, tag);
    }

    private static String type(String name) {
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream("dashboard/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks the dashboard's " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the dashboard's " + name + " cannot be read", e);
        }
    }

    private static String tag(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
