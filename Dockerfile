# The service without its build tools and without the embedded PostgreSQL: DATABASE_URL is required.
#
#   docker build -t vitrine .
#   docker run --read-only --tmpfs /tmp -v vitrine:/data --env-file .env -p 3000-3003:3000-3003 vitrine

FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY . .
RUN node scripts/build.mjs && node scripts/operator/production_modules.mjs /production

FROM node:22-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /production/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000 3001 3002 3003
# Alive, not ready: a database that is away is no reason to restart.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.API_PORT ?? 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
