package dev.recloser.gateway.admin;

/** Scripts that look at every visible text of a page: whether it stands out from what is behind it, as WCAG measures that. */
final class Contrast {

    private static final String TEXTS = """
            const texts = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility()
              && [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "")
              && element.closest(".unseen, .skip, noscript, template, :disabled") === null);
            """;

    /** How many texts there are. */
    static final String LOOKED_AT = TEXTS + "return texts.length;";

    /** The texts whose contrast is less than the argument. */
    static final String TOO_FAINT = TEXTS + """
            const parse = (colour) => {
              const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
              return { red, green, blue, alpha };
            };
            const channel = (value) => {
              const part = value / 255;
              return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
            };
            const luminance = ({ red, green, blue }) =>
              0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
            const behind = (element) => {
              for (let each = element; each; each = each.parentElement) {
                const colour = parse(getComputedStyle(each).backgroundColor);
                if (colour.alpha === 1) return colour;
                if (colour.alpha > 0) throw new Error("a translucent background: " + each.outerHTML.slice(0, 80));
              }
              throw new Error("no background");
            };
            return texts.map((element) => {
              const one = luminance(parse(getComputedStyle(element).color));
              const other = luminance(behind(element));
              const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
              return { contrast, text: element.outerHTML.slice(0, 100) };
            }).filter((found) => found.contrast < arguments[0]).map((found) => found.contrast.toFixed(2) + " " + found.text);
            """;

    private Contrast() {}
}
