import Script from 'next/script'

const { DOCWRIGHT_URL, DOCWRIGHT_DOMAIN, DOCWRIGHT_KEY } = process.env

export const metadata = { title: 'Handbook', icons: { icon: 'data:,' } }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Script src={`${DOCWRIGHT_URL}/widget.js`} data-domain={DOCWRIGHT_DOMAIN} data-key={DOCWRIGHT_KEY} />
      </body>
    </html>
  )
}
