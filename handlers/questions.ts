import { mergeQuestions } from '../src/domain/catalogue/questions.ts'
import type { Handler } from '../src/operation.ts'
import { lockProduct } from '../src/queries/catalogue/products.ts'
import {
  getProductQuestions,
  getQuestionLibrary,
  updateProductQuestions,
  updateQuestionLibrary,
} from '../src/queries/catalogue/questions.ts'
import { lockWorkspace } from '../src/queries/people/workspaces.ts'

export const get_product_questions: Handler<'get_product_questions'> = ({ path }, { db }) =>
  getProductQuestions(db, path.workspaceId, path.id)

export const update_product_questions: Handler<'update_product_questions'> = (
  { path, body },
  caller,
) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    await lockProduct(trx, workspaceId, id)
    const current = await getProductQuestions(trx, workspaceId, id)
    caller.requireCurrent(current)
    const questions = mergeQuestions(current.questions, body.questions, caller.now)
    await updateProductQuestions(trx, workspaceId, id, questions)
    return { questions, usesDefaults: false }
  })

export const reset_product_questions: Handler<'reset_product_questions'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    await lockProduct(trx, workspaceId, id)
    caller.requireCurrent(await getProductQuestions(trx, workspaceId, id))
    await updateProductQuestions(trx, workspaceId, id, null)
    return getProductQuestions(trx, workspaceId, id)
  })

export const get_question_library: Handler<'get_question_library'> = async ({ path }, { db }) => ({
  questions: await getQuestionLibrary(db, path.workspaceId),
})

export const update_question_library: Handler<'update_question_library'> = (
  { path, body },
  caller,
) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await lockWorkspace(trx, workspaceId)
    const current = await getQuestionLibrary(trx, workspaceId)
    caller.requireCurrent({ questions: current })
    const questions = mergeQuestions(current, body.questions, caller.now)
    await updateQuestionLibrary(trx, workspaceId, questions)
    return { questions }
  })
