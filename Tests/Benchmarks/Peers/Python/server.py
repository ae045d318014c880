"""Swipe decks on FastAPI, with uvicorn, uvloop and httptools. The geometry is simplified as in Node/server.js.

It prints its port.
"""

import math
import socket
import time
from typing import Literal

import uvicorn
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel


class Point(BaseModel):
    x: float
    y: float


class Drag(BaseModel):
    type: Literal["drag"]
    phase: Literal["began", "changed", "ended", "cancelled"]
    location: Point | None = None
    translation: Point | None = None


class Session:
    def __init__(self, identifier):
        self.id = identifier
        self.start = time.monotonic()
        self.version = 0
        self.translation = Point(x=0, y=0)
        self.dragging = False

    def change(self, drag):
        self.dragging = drag.phase in ("began", "changed")
        if drag.translation:
            self.translation = drag.translation
        self.version += 1
        at = (time.monotonic() - self.start) * 1000
        progress = min(1, abs(self.translation.x) / 187.5)
        direction = "left" if self.translation.x < 0 else "right"
        result = {"type": "drag", "applied": True, "direction": direction, "index": 0, "version": self.version}
        notification = {
            "at": at, "type": "dragged", "index": 0, "id": "0", "direction": direction, "percentage": 100 * progress,
        }
        frame = self.frame(at, direction, progress)
        return {"results": [result], "notifications": [notification], "frame": frame}

    def frame(self, at, direction, progress):
        drag = {
            "translation": {"x": self.translation.x, "y": self.translation.y}, "direction": direction,
            "percentage": 100 * progress, "thresholdPercentage": min(100, 200 * progress),
            "outcome": "reset" if progress < 0.5 else "swiped", "reason": "below-threshold",
        }
        return {
            "session": self.id, "version": self.version, "at": at, "currentIndex": 0, "cardCount": 100,
            "visibleCount": 3, "loop": True, "exhausted": False, "dragging": self.dragging, "drag": drag,
            "pending": None, "animating": False, "settlesAt": None, "canRevert": 0, "canRedo": 0,
            "cards": [self.card(index, direction, progress) for index in range(3)], "lastNotification": 2,
        }

    def card(self, index, direction, progress):
        is_front = index == 0
        scale = 0.95**index
        sine, cosine = (math.sin(progress * 0.314), math.cos(progress * 0.314)) if is_front else (0, 1)
        place = (self.translation.x, self.translation.y) if is_front else (0, 0)
        return {
            "index": index, "id": str(index), "role": "front" if is_front else "background", "z": 2 - index,
            "frame": {"x": 187.5 * (1 - scale), "y": 33.6 * index, "width": 375 * scale, "height": 592 * scale},
            "face": "front", "matrix": [cosine, sine, -sine, cosine, *place], "anchor": {"x": 0.5, "y": 0.5},
            "contentScale": {"x": scale, "y": scale}, "opacity": 1 if is_front else 0.7, "interactive": is_front,
            "overlay": {"direction": direction, "progress": progress, "alpha": progress} if is_front else None,
            "allowedDirections": ["left", "right"],
        }


sessions = {}
app = FastAPI()


@app.post("/v1/sessions", status_code=201)
async def create_session():
    identifier = f"session-{len(sessions)}-of-a-peer"
    sessions[identifier] = Session(identifier)
    return {"id": identifier}


@app.post("/v1/sessions/{identifier}/events")
async def change(identifier: str, drag: Drag):
    if identifier not in sessions:
        raise HTTPException(404)
    return sessions[identifier].change(drag)


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(app, loop="uvloop", http="httptools", log_level="error", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])
