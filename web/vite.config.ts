import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// The server serves this folder as it is; `/assets/*` and the files of `public/` need no credential.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: '../src/idea/static',
    emptyOutDir: true,
    // Fonts stay files: the page's policy forbids `data:` sources.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}'],
    testTimeout: 5000,
    restoreMocks: true,
  },
})
