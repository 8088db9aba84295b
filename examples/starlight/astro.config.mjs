import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

const { DOCWRIGHT_URL, DOCWRIGHT_DOMAIN, DOCWRIGHT_KEY } = process.env

export default defineConfig({
  integrations: [
    starlight({
      title: 'Handbook',
      head: [
        {
          tag: 'script',
          attrs: {
            src: `${DOCWRIGHT_URL}/widget.js`,
            'data-domain': DOCWRIGHT_DOMAIN,
            'data-key': DOCWRIGHT_KEY,
            defer: true,
          },
        },
      ],
    }),
  ],
})
