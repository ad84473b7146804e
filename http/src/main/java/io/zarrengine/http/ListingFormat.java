package io.zarrengine.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** How a server lists the keys of a bucket: pages of XML, each of which names the next one. */
public enum ListingFormat {
    /**
     * Version 2 of S3's lists, which Google Cloud Storage also has.
     *
     * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html">S3,
     *     ListObjectsV2</a>
     */
    S3(
            "list-type=2",
            "ListBucketResult",
            "Contents/Key",
            "CommonPrefixes/Prefix",
            "NextContinuationToken",
            "continuation-token",
            "max-keys"),
    /**
     * Lists of Azure Blob Storage.
     *
     * @see <a href="https://learn.microsoft.com/rest/api/storageservices/list-blobs">Azure, List
     *     Blobs</a>
     */
    AZURE(
            "restype=container&comp=list",
            "EnumerationResults",
            "Blob/Name",
            "BlobPrefix/Name",
            "NextMarker",
            "marker",
            "maxresults");

    /** Most keys that any server sends in a page; asking for more is no error. */
    private static final long PAGE_MAX = 1000;

    private final String question; // of each request
    private final String rootElement;
    private final String keyElement;
    private final String folderElement;
    private final String nextElement;
    private final String nextName; // of the query
    private final String maxName;

    ListingFormat(
            String question,
            String rootElement,
            String keyElement,
            String folderElement,
            String nextElement,
            String nextName,
            String maxName) {
        this.question = question;
        this.rootElement = rootElement;
        this.keyElement = keyElement;
        this.folderElement = folderElement;
        this.nextElement = nextElement;
        this.nextName = nextName;
        this.maxName = maxName;
    }

    /**
     * One page.
     *
     * @param names keys, and prefixes of keys
     * @param next names the next page; empty if this is the last one
     */
    private record Page(List<String> names, String next) {}

    /**
     * {@return the parts that follow a prefix in the names of objects, each up to its next slash}
     *
     * @param store sends the requests
     * @param path of the bucket in the store; or empty
     * @param prefix ends with a slash, or is empty
     * @param max most names to return
     * @throws IOException if a request fails, or brings no list
     */
    List<String> list(HttpStore store, String path, String prefix, long max) throws IOException {
        Set<String> names = new LinkedHashSet<>();
        String next = "";
        do {
            Map<String, String> page = new LinkedHashMap<>();
            for (String part : question.split("&")) {
                String[] pair = part.split("=", 2);
                page.put(pair[0], pair[1]);
            }
            page.put("prefix", prefix);
            page.put("delimiter", "/");
            page.put(maxName, Long.toString(Math.clamp(max, 1, PAGE_MAX)));
            if (!next.isEmpty()) {
                page.put(nextName, next);
            }
            byte[] answer =
                    store.ask(path, page)
                            .orElseThrow(() -> new IOException("there is no such bucket"));
            Page found = parse(answer);
            if (found.next.equals(next) && !next.isEmpty()) {
                throw new IOException("the list of keys does not end: a page names itself");
            }
            next = found.next;
            for (String name : found.names) {
                add(name, prefix, names);
            }
        } while (!next.isEmpty() && names.size() < max);
        return names.stream().limit(max).toList();
    }

    private static void add(String name, String prefix, Set<String> names) {
        if (name.startsWith(prefix)) {
            int slash = name.indexOf('/', prefix.length());
            String part = name.substring(prefix.length(), slash < 0 ? name.length() : slash);
            if (!part.isEmpty()) { // An object may mark the folder itself.
                names.add(part);
            }
        }
    }

    private Page parse(byte[] xml) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            return parse(factory.createXMLStreamReader(new ByteArrayInputStream(xml)));
        } catch (XMLStreamException e) {
            throw new IOException("the server sends no list of keys: " + e.getMessage(), e);
        }
    }

    private Page parse(XMLStreamReader reader) throws XMLStreamException {
        List<String> names = new ArrayList<>();
        String next = "";
        Deque<String> open = new ArrayDeque<>();
        StringBuilder text = new StringBuilder();
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    String name = reader.getLocalName();
                    if (open.isEmpty() && !name.equals(rootElement)) {
                        throw new XMLStreamException("it begins with <" + name + ">");
                    }
                    open.push(name);
                    text.setLength(0);
                }
                case XMLStreamConstants.CHARACTERS -> text.append(reader.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    String element = open.pop();
                    String path = open.isEmpty() ? element : open.peek() + "/" + element;
                    if (path.equals(keyElement) || path.equals(folderElement)) {
                        names.add(text.toString());
                    } else if (element.equals(nextElement)) {
                        next = text.toString();
                    }
                    text.setLength(0);
                }
                default -> {}
            }
        }
        return new Page(names, next);
    }
}
