"""
Plugin for pytest: moto's tests sign with the pair in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the place of a
made-up one.
"""
import os

from moto.core.models import MockAWS

pair = {name: os.environ[name] for name in ('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY')}
made = MockAWS.__init__


def init(self, *args, **options):
    made(self, *args, **options)
    self._fake_creds = pair


MockAWS.__init__ = init
