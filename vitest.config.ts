import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: more workers only make the embedded databases slower.
    maxWorkers: 2,
    globalSetup: ['tests/postgres.setup.ts'],
    setupFiles: ['tests/spawner.setup.ts'],
  },
})
