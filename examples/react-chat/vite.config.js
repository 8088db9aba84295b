// Only variables with this prefix reach the page.
export default { envPrefix: 'DOCWRIGHT_' }
