import type { Messages } from '../en.ts';

export const apps: Messages['apps'] = {
  app: 'Aplicação',
  appId: 'Id',
  apps: 'Aplicações',
  builtIn: 'Arquivos e links',
  created: 'Criada',
  noApps: 'Nenhuma aplicação',
  noAppsHint: 'O operador do servidor cria as aplicações. Peça uma se precisar.',
  noSuchApp: 'Esta aplicação não existe, ou a sua chave não pode usá-la',
  parts: 'Partes da aplicação',
};
