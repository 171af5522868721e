import { useState } from 'preact/hooks'
import { limits } from '../../../generated/limits.ts'
import { SelectField, TextArea, TextField } from '../../kit/fields.tsx'
import { useForm } from '../../kit/use_form.ts'
import { texts } from '../../language.ts'
import { base64Of } from '../media/upload.ts'
import { ChatForm } from './chat_form.tsx'
import { ChosenPictures } from './chosen_pictures.tsx'
import { type Level, levels } from './levels.ts'
import type { Trial } from './trial.ts'
import type { Turn } from './turns.tsx'

interface Values {
  message: string
  skinType: string
  concerns: string
  thinkingLevel: Level
  images: File[]
}

/** What the visitor says of themselves; fields that are left empty say nothing. */
function profileOf({ skinType, concerns }: Values) {
  const named = concerns
    .split(',')
    .map((concern) => concern.trim())
    .filter((concern) => concern !== '')
  return {
    ...(skinType.trim() === '' ? {} : { skinType: skinType.trim() }),
    ...(named.length === 0 ? {} : { concerns: named }),
  }
}

/** A conversation about a routine with the shop's products. */
export function RoutineTrial({ trial }: { trial: Trial }) {
  const t = texts('chat')
  const [turns, setTurns] = useState<Turn[]>([])
  const form = useForm<Values>({
    message: '',
    skinType: '',
    concerns: '',
    thinkingLevel: 'LOW',
    images: [],
  })
  const { values, set } = form
  const send = () => {
    if (form.current().message.trim() === '') return
    void form.save(async (question) => {
      const { message, thinkingLevel } = question
      const threadId = turns.at(-1)?.answer.threadId
      const answer = await trial.askForRoutine({
        message,
        thinkingLevel,
        userProfile: profileOf(question),
        images: await Promise.all(question.images.map(base64Of)),
        ...(threadId ? { threadId } : {}),
      })
      setTurns([...turns, { question: message, answer }])
      set('message', '')
      set('images', [])
    })
  }
  return (
    <ChatForm
      form={form}
      turns={turns}
      question={values.message}
      isReady={values.message.trim() !== ''}
      onSend={send}
    >
      <div class="pair">
        <TextField
          {...form.text('skinType')}
          error={form.errors['userProfile.skinType']}
          label={t('skinType')}
          limit={limits.UserProfile.skinType}
          optional
        />
        <TextField
          {...form.text('concerns')}
          error={form.errors['userProfile.concerns']}
          label={t('concerns')}
          hint={t('concernsHint')}
          optional
        />
      </div>
      <SelectField
        name="thinkingLevel"
        label={t('level')}
        value={values.thinkingLevel}
        error={form.errors['thinkingLevel']}
        choices={levels.map((value) => ({ value, label: t(`routineLevel.${value}`) }))}
        onChange={(level) => set('thinkingLevel', level)}
      />
      <ChosenPictures
        field="images"
        label={t('pictures')}
        hint={t('picturesHint', { count: limits.RoutineChatRequest.images.maxItems })}
        max={limits.RoutineChatRequest.images.maxItems}
        files={values.images}
        error={form.errors['images'] ?? form.errors['images.0']}
        onChange={(images) => set('images', images)}
      />
      <TextArea
        {...form.text('message')}
        label={t('routineMessage')}
        hint={t('messageHint')}
        rows={2}
      />
    </ChatForm>
  )
}
