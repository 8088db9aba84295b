import React, { useState } from 'react'
import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'

type DocsMessage = UIMessage<{ threadId?: string }>

const { DOCWRIGHT_URL, DOCWRIGHT_DOMAIN, DOCWRIGHT_KEY } = import.meta.env

const transport = new DefaultChatTransport<DocsMessage>({
  api: `${DOCWRIGHT_URL}/discovery/v2/assistant/${DOCWRIGHT_DOMAIN}/message`,
  headers: { Authorization: `Bearer ${DOCWRIGHT_KEY}` },
  prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
    body: {
      id,
      messages,
      trigger,
      messageId,
      fp: 'anonymous',
      // The server names the thread in the metadata of each answer.
      threadId: messages.findLast((message) => message.metadata?.threadId)?.metadata?.threadId ?? null,
      retrievalPageSize: 5,
      currentPath: window.location.pathname.slice(0, 200),
    },
  }),
})

export function DocsChat() {
  const [input, setInput] = useState('')
  const { messages, sendMessage, stop, status, error } = useChat<DocsMessage>({ transport })
  const isBusy = status === 'submitted' || status === 'streaming'

  return (
    <>
      <h1>Ask the handbook</h1>
      {messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          <strong>{message.role === 'user' ? 'You' : 'Assistant'}</strong>
          {message.parts.map((part, index) => (part.type === 'text' ? <p key={index}>{part.text}</p> : null))}
          <ul aria-label="Sources">
            {message.parts.map((part, index) =>
              part.type === 'source-url' ? (
                <li key={index}>
                  <a href={part.url}>{part.title ?? part.url}</a>
                </li>
              ) : null,
            )}
          </ul>
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!input.trim() || isBusy) return
          void sendMessage({ text: input })
          setInput('')
        }}
      >
        <input aria-label="Question" value={input} onChange={(event) => setInput(event.target.value)} />
        {isBusy ? (
          <button key="stop" type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button key="ask">Ask</button>
        )}
      </form>
    </>
  )
}
