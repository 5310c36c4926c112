"""`…/terminal`: one agent's terminal; binary frames are its bytes, text frames its size and end."""

from fastapi import APIRouter

router = APIRouter()
