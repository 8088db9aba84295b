import React from 'react'
import { createRoot } from 'react-dom/client'
import { DocsChat } from './docs-chat'

createRoot(document.getElementById('app')!).render(<DocsChat />)
