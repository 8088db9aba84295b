import { defineConfig } from 'vitest/config'

// Apart from the suite: it needs a Gitea or Forgejo that somebody started. See gitea-site.ts.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.trial.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
