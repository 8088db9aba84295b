module.exports = { title: 'Tidepool', url: 'https://docs.example.com', baseUrl: '/', presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.js' } }]] }
