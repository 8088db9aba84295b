# Builds the same package that `npx docwright` runs, and puts it on a small image with git.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY tests/ai-sdk-4/package.json tests/ai-sdk-4/
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build-package.ts /package

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Docwright" \
      org.opencontainers.image.description="Self-hosted agent jobs and documentation assistant for docs kept in git" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN apt-get update && \
    apt-get install -y --no-install-recommends ca-certificates git tini && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /package /app
RUN ln -s /app/bin/docwright.js /usr/local/bin/docwright && install -d -o 1000 -g 1000 -m 0700 /data
# A number, so that Kubernetes sees that it is not root.
USER 1000:1000
# Nothing but /data and /tmp is written to: the rest may be mounted read-only.
ENV HOST=0.0.0.0 PORT=4000 DOCWRIGHT_DATA=/data HOME=/data NODE_COMPILE_CACHE=/tmp/docwright-cache
WORKDIR /data
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "docwright"]
CMD ["serve"]
