export default function Home() {
  return (
    <main>
      <h1>Handbook</h1>
      <p>Press the button in the corner and ask.</p>
    </main>
  )
}
