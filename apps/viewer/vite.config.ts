import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/// The licences of what is in the page go with it.
function licences(): string {
  const texts = ["three", "uplot"].map((name) => `${name}:\n${readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), "utf8")}`);
  return `<!--\n${texts.join("\n").replaceAll("--", "- -")}-->`;
}

/// Puts scripts and styles into the page itself, so that it is a single file. They stand at the end
/// of the body, after the run.
function singleFile(): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("there is no index.html");
      let scripts = "";
      let styles = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        if (file.type === "chunk") scripts += file.code;
        else if (name.endsWith(".css")) styles += file.source;
        else throw new Error(`${name} cannot be put into the page`);
        delete bundle[name];
      }
      // Nothing in a script may look like the end of it.
      scripts = scripts.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");
      page.source = String(page.source)
        .replace(/<script type="module"[^>]*><\/script>\s*/g, "")
        .replace(/<link rel="stylesheet"[^>]*>\s*/g, "")
        .replace("</head>", () => `<style>${styles}</style>\n${licences()}\n  </head>`)
        .replace("</body>", () => `<script type="module">${scripts}</script>\n  </body>`);
    },
  };
}

export default defineConfig({
  plugins: [singleFile()],
  build: { target: "es2022", modulePreload: false, emptyOutDir: true, assetsInlineLimit: 1e6, chunkSizeWarningLimit: 2000 },
});
