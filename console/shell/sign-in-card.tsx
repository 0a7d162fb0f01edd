import type { ComponentChildren } from 'preact';

import { hasExpired } from '../app/session-state.ts';
import { chooseLanguage, language, languages, type Language } from '../app/settings.ts';
import { messages } from '../app/messages.ts';
import { Logo } from './logo.tsx';

/** The frame of both sign-ins. */
export function SignInCard({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { signIn, settings } = messages();
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <Logo />
        <h1>{title}</h1>
        {hasExpired.value && (
          <p class="note" role="status">
            {signIn.expired}
          </p>
        )}
        {children}
      </div>
      <select
        class="language"
        aria-label={settings.language}
        value={language.value}
        onChange={({ currentTarget }) => chooseLanguage(currentTarget.value as Language)}
      >
        {Object.entries(languages).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </main>
  );
}
