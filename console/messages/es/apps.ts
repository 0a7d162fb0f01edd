import type { Messages } from '../en.ts';

export const apps: Messages['apps'] = {
  app: 'Aplicación',
  appId: 'Id',
  apps: 'Aplicaciones',
  builtIn: 'Archivos y enlaces',
  created: 'Creada',
  noApps: 'Ninguna aplicación',
  noAppsHint: 'El operador del servidor crea las aplicaciones. Pide una si la necesitas.',
  noSuchApp: 'Esta aplicación no existe, o tu clave no puede usarla',
  parts: 'Partes de la aplicación',
};
