// As much of React as these tests use; its own types are not installed.
declare module 'react' {
  export function createElement(component: () => null): object
}
declare module 'react-dom/client' {
  export function createRoot(container: unknown): { render(element: object): void; unmount(): void }
}
