import { limits } from '../../../generated/limits.ts'
import { TextArea, TextField } from '../../kit/forms/fields.tsx'
import { SelectField } from '../../kit/forms/select.tsx'
import { texts } from '../../language.ts'
import { base64Of } from '../media/upload.ts'
import { ChatForm } from './chat_form.tsx'
import { ChosenPictures } from './chosen_pictures.tsx'
import { useConversation } from './conversation.ts'
import { type Level, levels } from './levels.ts'
import type { Trial } from './trial.ts'

interface RoutineQuestion {
  message: string
  skinType: string
  concerns: string
  thinkingLevel: Level
  images: File[]
}

/** What the visitor says of themselves; fields that are left empty say nothing. */
function profileOf({ skinType, concerns }: RoutineQuestion) {
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
  const { form, turns, send } = useConversation<RoutineQuestion>(
    { message: '', skinType: '', concerns: '', thinkingLevel: 'LOW', images: [] },
    ['message', 'images'],
    async (question, thread) =>
      trial.askForRoutine({
        message: question.message,
        thinkingLevel: question.thinkingLevel,
        userProfile: profileOf(question),
        images: await Promise.all(question.images.map(base64Of)),
        ...thread,
      }),
  )
  const { values, set } = form
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
