import { useState } from 'preact/hooks'
import { useForm } from '../../kit/forms/use_form.ts'
import { texts } from '../../language.ts'
import { base64Of } from '../media/upload.ts'
import { ChatForm } from './chat_form.tsx'
import { ChosenPictures } from './chosen_pictures.tsx'
import type { Trial } from './trial.ts'
import type { ChatTurn } from './turns.tsx'

/** What the assistant says of a picture of a face. */
export function FaceTrial({ trial }: { trial: Trial }) {
  const t = texts('chat')
  const [turns, setTurns] = useState<ChatTurn[]>([])
  const form = useForm<{ image: File[] }>({ image: [] })
  const { image } = form.values
  const send = () => {
    const [file] = form.current().image
    if (!file) return
    void form.save(async () => {
      const answer = await trial.analyzeFace({ image: await base64Of(file) })
      setTurns([...turns, { question: file.name, answer }])
      form.set('image', [])
    })
  }
  return (
    <ChatForm
      form={form}
      turns={turns}
      question={image[0]?.name ?? ''}
      isReady={image.length > 0}
      onSend={send}
    >
      <ChosenPictures
        field="image"
        label={t('face')}
        hint={t('faceHint')}
        max={1}
        files={image}
        error={form.errors['image']}
        onChange={(files) => form.set('image', files)}
      />
    </ChatForm>
  )
}
