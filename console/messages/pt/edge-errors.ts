import type { Messages } from '../en.ts';

export const edgeErrors: Messages['edgeErrors'] = {
  byPath: 'Erros por caminho',
  byStatus: 'Erros por status',
  clientErrors: 'Erros de clientes (4xx)',
  errors: 'Erros',
  noErrors: 'Nenhum erro neste período',
  noErrorsHint: 'Aqui você vê as respostas com status de erro que os visitantes da aplicação receberam.',
  otherPaths: 'outros caminhos',
  overTime: (total: string) => `Erros ao longo do tempo: ${total}`,
  path: 'Caminho',
  refresh: 'Atualizar',
  requests: 'Pedidos',
  serverErrors: 'Erros do servidor (5xx)',
  status: 'Status',
  window: 'Período',
  windows: { hour: 'Última hora', day: 'Últimas 24 horas', week: 'Últimos 7 dias', month: 'Últimos 30 dias' },
  with4xx: 'Com erros de clientes (4xx)',
};
