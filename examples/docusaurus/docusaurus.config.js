const { DOCWRIGHT_URL, DOCWRIGHT_DOMAIN, DOCWRIGHT_KEY, SITE_URL } = process.env

module.exports = {
  title: 'Handbook',
  url: SITE_URL ?? 'https://docs.example.com',
  baseUrl: '/',
  favicon: 'data:,',
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
  scripts: [
    {
      src: `${DOCWRIGHT_URL}/widget.js`,
      'data-domain': DOCWRIGHT_DOMAIN,
      'data-key': DOCWRIGHT_KEY,
      defer: true,
    },
  ],
}
