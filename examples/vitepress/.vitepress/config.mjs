import { defineConfig } from 'vitepress'

const { DOCWRIGHT_URL, DOCWRIGHT_DOMAIN, DOCWRIGHT_KEY } = process.env

export default defineConfig({
  title: 'Handbook',
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    [
      'script',
      {
        src: `${DOCWRIGHT_URL}/widget.js`,
        'data-domain': DOCWRIGHT_DOMAIN,
        'data-key': DOCWRIGHT_KEY,
        defer: '',
      },
    ],
  ],
})
