import { rulesSettings } from './handlers/settings.ts';

export function serve() {
  return { settingsPart: rulesSettings };
}
