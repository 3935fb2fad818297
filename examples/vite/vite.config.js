import { defineConfig } from "vite";

const address = { host: "127.0.0.1", port: Number(process.env.PORT ?? 7320) };

export default defineConfig({
  // Only these settings of .env reach the page. The server key next to them is secret.
  envPrefix: ["FLAGSERVICE_URL", "FLAGSERVICE_CLIENT_KEY"],
  server: address,
  preview: address,
});
