import { createContext, useContext } from 'react'
import type { Words } from './en'
import { type Locale, wordsOf } from './words'

export const LocaleContext = createContext<Locale>('en')

export function useLocale(): Locale {
  return useContext(LocaleContext)
}

export function useWords(): Words {
  return wordsOf(useContext(LocaleContext))
}
